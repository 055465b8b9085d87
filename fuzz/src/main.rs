//! Fuzz targets, run for a given time each.
fn main() {}
