/**
 * The player for televisions of Chromium 53 to 79: what their browsers lack, then the same page. The build makes one
 * classic script of it, because these browsers have no modules or cannot read the syntax of the player's module.
 */
import 'core-js/actual/object/entries';
import 'core-js/actual/array/flat-map';
import 'core-js/actual/string/pad-start';
import 'core-js/actual/promise/finally';
import 'core-js/actual/queue-microtask';
import 'core-js/actual/global-this';
import 'abortcontroller-polyfill/dist/polyfill-patch-fetch';
import './legacy-nodes.ts';
import './main.ts';
