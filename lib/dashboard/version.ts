/** Of this package, as package.json has it: that file is not beside the code where the code is bundled. */
export const VERSION = '0.1.0'
