/**
 * Regular expression text: what Redis 6.2 puts before the code of a command that was refused in a script. Later versions start with the
 * code.
 */
export const SCRIPT_ERROR = 'ERR Error running script[^-]{0,500}-'
