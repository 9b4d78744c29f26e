/** The package's version, as in package.json, which is not next to the code in a bundle. */
export const VERSION = '0.1.0'
