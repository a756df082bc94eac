//! arx-sqlite
