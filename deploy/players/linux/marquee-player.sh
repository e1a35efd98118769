#!/bin/bash
# Shows the player full screen. Restarts Chromium if it ends or stops responding, or if the page hangs or is left.
# Under Wayland (labwc, cage) or X11 it uses that display. On a bare console it starts cage.
# MARQUEE_HEADLESS=1 needs no display. MARQUEE_CHROMIUM_FLAGS has further flags for Chromium.
set -u
page='{{url}}#watched' # the page counts in its title
profile="${MARQUEE_PROFILE:-$HOME/.local/share/marquee-player}"
port="${MARQUEE_DEBUG_PORT:-9222}" # loopback only, but open to every local user
check_s="${MARQUEE_CHECK_S:-15}"
failures_max=4
chromium="$(command -v chromium || command -v chromium-browser)" || { echo 'Chromium is not installed.' >&2; exit 1; }

flags=(--kiosk --no-first-run --noerrdialogs --disable-infobars --disable-session-crashed-bubble
  --autoplay-policy=no-user-gesture-required --user-data-dir="$profile" --remote-debugging-port="$port")
if [ "${MARQUEE_HEADLESS:-0}" = 1 ]; then
  flags+=(--headless)
elif [ -n "${WAYLAND_DISPLAY:-}" ]; then
  flags+=(--ozone-platform=wayland) # cage does not blank the screen
elif [ -n "${DISPLAY:-}" ]; then
  xset s off s noblank -dpms
else
  exec cage -d -- "$0"
fi
read -ra more <<< "${MARQUEE_CHROMIUM_FLAGS:-}"

pid=
end() { [ -z "$pid" ] || { kill "$pid" 2> /dev/null; wait "$pid"; }; }
trap 'end; exit 0' TERM INT

# Prints nothing if Chromium does not respond or shows another page. The list has the URL two lines below the title.
title() {
  curl -fsS -m 5 "http://127.0.0.1:$port/json/list" 2> /dev/null |
    grep -F -B 2 "\"url\": \"$page\"" | grep -m 1 '"title":'
}

while true; do
  mkdir -p "$profile"
  rm -f "$profile"/Singleton* # left by a power cut
  "$chromium" "${flags[@]}" "${more[@]}" "$page" &
  pid=$!
  failures=0
  before=
  while kill -0 "$pid" 2> /dev/null && [ "$failures" -lt "$failures_max" ]; do
    sleep "$check_s" & wait $!
    now="$(title)"
    if [ -z "$now" ] || [[ $now == "$before" && $now == *'Marquee player '[0-9]* ]]; then
      failures=$((failures + 1))
    else
      failures=0
    fi
    before="$now"
  done
  kill -KILL "$pid" 2> /dev/null
  wait "$pid" 2> /dev/null
  echo 'Chromium is started again.' >&2
  sleep 2
done
