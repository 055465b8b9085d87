#!/usr/bin/env bash
# The experiment of Tauriainen and Heljanko (2000), section 5, with our four constructions, and with SPIN and lbt where they are
# installed; then the question of its conclusion, failure rates against the parameters of the test.
# Usage: bash benches/testbench/run.sh [FORMULAS [KIND]]
#   FORMULAS   of each symbol set and kind of structure; 4000 as in the paper unless given
#   KIND       graph or path: one half of the experiment, with formulas of its own, into tables-KIND.txt
# Prints Tables 1 to 3 and the failure rates, and writes them to tables.txt and failure-rates.txt here and to
# benches/plots/failure-rates.svg; the page with plots and the line for each run go to target/testbench/.
set -euo pipefail
cd "$(dirname "$0")/../.."
formulas=${1:-4000}
kind=${2:-both}
tables=tables.txt
[ "$kind" = both ] || tables=tables-$kind.txt
translators=(couvreur go gpvw tight)
for tool in spin lbt; do
  if command -v "$tool" >/dev/null 2>&1; then translators+=("$tool"); else echo "$tool is not installed: skipped" >&2; fi
done
cargo build --release --locked -p lariat-cli
cargo build --release --locked -p lariat-benches --bin failure-rates
programs=${CARGO_TARGET_DIR:-target}/release
output=${CARGO_TARGET_DIR:-target}/testbench
mkdir -p "$output"
command=(testbench "${translators[@]}" --paper --structure "$kind" --formulas "$formulas" --html "$output/report.html" --csv "$output/runs.csv")
status=0
"$programs/lariat" "${command[@]}" > "$output/$tables" || status=$?
# 1: some translator failed, which is what the tables tell.
[ "$status" -le 1 ] || exit "$status"
cp "$output/$tables" "benches/testbench/$tables"
sed -n '1,/^Sizes and times/p' "benches/testbench/$tables" | sed '$d'
tail -n 1 "benches/testbench/$tables"
[ "$kind" = both ] || exit 0
echo
"$programs/failure-rates" 200 benches/plots/failure-rates.svg | tee benches/testbench/failure-rates.txt
