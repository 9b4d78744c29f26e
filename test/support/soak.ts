/**
 * True in `npm run soak`, where tests repeat themselves many times and check all combinations. `npm test` makes each kind of check with
 * fewer repetitions.
 */
export const isSoak = process.env['SOAK'] === 'full'
