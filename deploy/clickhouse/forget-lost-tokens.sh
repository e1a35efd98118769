#!/bin/sh
# Runs before ClickHouse starts on its folder, and makes the tokens of inserts agree with the parts that are there.
#
# A table of its own (not a replicated one, whose token and part are one step in Keeper) notes the token of an insert and
# then takes the part in. Killed between the two, it comes back with the token alone: it would call the repeat of that
# insert a duplicate, and in a rollup the rows would be missing for ever. So tokens whose part was lost are struck off.
# Part and block numbers never come back while the server runs, so a token is without its part when no part of that name
# is there, nor one into which it was merged.
#
# A cut of power could also leave the part without its token, and the repeat would be counted twice: ClickHouse syncs parts
# (fsync_after_insert), but not this log. So its folder is marked as one whose files are written through to the disk, which
# ext4, xfs and btrfs can; of tables that are made while the server runs within ten seconds.
#
# usage: forget-lost-tokens.sh <folder of the server> [command to go on with, and its arguments]
set -eu
folder=$1
shift
changed=$folder/deduplication_log.changed

write_through() {
  set -- "$folder"/store/*/*/deduplication_logs
  [ ! -d "$1" ] || chattr -R +S "$@"
}

for logs in "$folder"/store/*/*/deduplication_logs; do
  [ -d "$logs" ] || continue
  table=${logs%/*}
  numbers=$(ls "$logs" | sed -n 's/^deduplication_log_\([0-9][0-9]*\)\.txt$/\1/p' | sort -n)
  [ -n "$numbers" ] || continue
  lost=$(
    {
      ls "$table"
      echo
      for number in $numbers; do cat "$logs/deduplication_log_$number.txt"; done
    } | awk -F '\t' '
      function is_there(name,   part, place) {
        split(name, part, "_")
        for (place = 1; place <= parts[part[1]]; place++)
          if (first[part[1], place] <= part[2] + 0 && part[3] + 0 <= last[part[1], place]) return 1
        return 0
      }
      # First the folder: parts are <partition>_<first block>_<last block>_<level>[_<mutation>].
      !tokens && $0 == "" { tokens = 1; next }
      !tokens && /^[^_]+_[0-9]+_[0-9]+_[0-9]+(_[0-9]+)?$/ {
        split($0, part, "_")
        place = ++parts[part[1]]
        first[part[1], place] = part[2] + 0
        last[part[1], place] = part[3] + 0
      }
      # Then the logs, oldest first: 1 notes a token, anything else takes it back.
      tokens && NF == 3 && $1 == 1 { noted[$3] = $2 }
      tokens && NF == 3 && $1 != 1 { delete noted[$3] }
      END { for (token in noted) if (!is_there(noted[token])) print noted[token] "\t" token }
    '
  )
  # A line that was cut off is no token yet, and the next one would be written behind it.
  cut=$(for number in $numbers; do awk -F '\t' 'NF != 3 { print "cut" }' "$logs/deduplication_log_$number.txt"; done)
  [ -n "$lost$cut" ] || continue
  for number in $numbers; do
    log=$logs/deduplication_log_$number.txt
    printf '%s\n' "$lost" | awk -F '\t' 'NR == FNR { lost[$0] = 1; next } NF == 3 && !(($2 "\t" $3) in lost)' - "$log" > "$changed"
    sync # the new log must be whole before it takes the place of the old one
    mv "$changed" "$log"
  done
  # Before the server gives the numbers of lost parts to others: the old log would hold those for the lost ones.
  sync
  [ -z "$lost" ] || echo "$table: tokens without their part were forgotten: $(printf '%s\n' "$lost" | cut -f 1 | tr '\n' ' ')" >&2
done

write_through || echo "$folder: tokens of inserts are not written through to this disk; after a cut of power a repeated insert may be counted twice" >&2
[ $# -ne 0 ] || exit 0
while sleep 10 && kill -0 $$; do write_through; done > /dev/null 2>&1 &
exec "$@"
