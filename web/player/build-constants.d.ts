/** Version of the package, put in by the build. */
declare const __PLAYER_VERSION__: string;
/** Whether this is the script for browsers before Chromium 80, put in by the build. */
declare const __IS_LEGACY__: boolean;
