//! Laws that hold between implementations, one a file.

pub mod promela;
