//! arx-derive
