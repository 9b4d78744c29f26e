/**
 * A regular expression's text: what Redis 6.2 puts before the code of what refused a command of a script. Later versions begin with the
 * code.
 */
export const SCRIPT_ERROR = 'ERR Error running script[^-]{0,500}-'
