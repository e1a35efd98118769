/** Something that must hold does not. */
export class Breach extends Error {}
