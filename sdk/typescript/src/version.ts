/** The version of this package, which is that of the product it was made from. */
export const VERSION = '0.2.0';
