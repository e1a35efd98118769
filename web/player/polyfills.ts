/**
 * The interfaces that Chromium 53 to 79 lack and the player needs. The build puts them before the legacy script as a
 * script of their own, because helpers of esbuild read built-ins such as `Object.getOwnPropertyDescriptors` at its top.
 */
import 'core-js/actual/object/entries';
import 'core-js/actual/object/get-own-property-descriptors';
import 'core-js/actual/array/flat-map';
import 'core-js/actual/string/pad-start';
import 'core-js/actual/promise/finally';
import 'core-js/actual/queue-microtask';
import 'core-js/actual/global-this';
import 'abortcontroller-polyfill/dist/polyfill-patch-fetch';
import './polyfilled-nodes.ts';
