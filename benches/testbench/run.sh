#!/usr/bin/env bash
# The experiment of Tauriainen and Heljanko (2000), section 5, with our four constructions, SPIN and lbt.
# Usage: bash benches/testbench/run.sh [FORMULAS [KIND]]
#   FORMULAS   of each symbol set and kind of structure; 4000 as in the paper unless given
#   KIND       graph or path: one half of the experiment, with formulas of its own, into tables-KIND.txt
# Writes tables.txt here; the page with plots and the line for each run go to target/testbench/.
set -euo pipefail
cd "$(dirname "$0")/../.."
formulas=${1:-4000}
kind=${2:-both}
tables=tables.txt
[ "$kind" = both ] || tables=tables-$kind.txt
for tool in spin lbt; do
  if ! command -v "$tool" >/dev/null 2>&1; then
    (apt-get update && apt-get install -y "$tool") >/dev/null 2>&1 || { echo "$tool is missing and cannot be installed here" >&2; exit 1; }
  fi
done
cargo build --release --locked -p lariat-cli
lariat=${CARGO_TARGET_DIR:-target}/release/lariat
output=${CARGO_TARGET_DIR:-target}/testbench
mkdir -p "$output"
command=(testbench couvreur go gpvw tight spin lbt --paper --structure "$kind" --formulas "$formulas" --html "$output/report.html" --csv "$output/runs.csv")
status=0
"$lariat" "${command[@]}" > "$output/$tables" || status=$?
# 1: some translator failed, which is what the tables tell.
[ "$status" -le 1 ] || exit "$status"
cp "$output/$tables" "benches/testbench/$tables"
tail -n 1 "benches/testbench/$tables"
