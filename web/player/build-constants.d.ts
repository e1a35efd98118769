/** Version of the package, put in by the build. */
declare const __PLAYER_VERSION__: string;
