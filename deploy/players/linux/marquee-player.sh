#!/bin/bash
# Shows the player full screen and starts Chromium again when it ends, does not respond or has left the page.
# Under Wayland (labwc, cage) or X11 it uses that display. On a bare console it starts cage.
# MARQUEE_HEADLESS=1 needs no display. MARQUEE_CHROMIUM_FLAGS has further flags for Chromium.
set -u
url='{{url}}'
profile="${MARQUEE_PROFILE:-$HOME/.local/share/marquee-player}"
port="${MARQUEE_DEBUG_PORT:-9222}" # Chromium listens on loopback alone
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
end() { [ -z "$pid" ] || kill "$pid" 2> /dev/null; }
trap 'end; exit 0' TERM INT

is_on_page() { curl -fsS -m 5 "http://127.0.0.1:$port/json/list" 2> /dev/null | grep -qF "\"url\": \"$url"; }

while true; do
  mkdir -p "$profile"
  rm -f "$profile"/Singleton* # left by a power cut
  "$chromium" "${flags[@]}" "${more[@]}" "$url" &
  pid=$!
  failures=0
  while kill -0 "$pid" 2> /dev/null && [ "$failures" -lt "$failures_max" ]; do
    sleep "$check_s" & wait $!
    if is_on_page; then failures=0; else failures=$((failures + 1)); fi
  done
  kill -KILL "$pid" 2> /dev/null
  wait "$pid" 2> /dev/null
  echo 'Chromium is started again.' >&2
  sleep 2
done
