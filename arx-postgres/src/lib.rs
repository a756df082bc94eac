//! arx-postgres
