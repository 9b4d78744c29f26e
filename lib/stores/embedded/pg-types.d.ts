declare module 'pg-types/lib/textParsers.js' {
  const textParsers: { init(register: (type: number, parse: (text: string) => unknown) => void): void }
  export default textParsers
}
