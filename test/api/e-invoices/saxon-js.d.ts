/** The one function of saxon-js that is used here. The package has no types of its own. */
declare module 'saxon-js' {
  type Options = { stylesheetFileName: string; sourceText: string; destination: 'serialized' };
  const SaxonJS: { transform(options: Options, execution: 'sync'): { principalResult: string } };
  export default SaxonJS;
}
