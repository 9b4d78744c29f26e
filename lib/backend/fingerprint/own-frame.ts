/** The innermost frames come first, so reading the start is enough. */
const MAX_STACK_LENGTH = 8_000
/** Longer lines are not frames. */
const MAX_LINE_LENGTH = 1_000

/** Frames of Node, V8 or a dependency, or no frame at all: `Promise.all (index 0)`, or message text that looks like a frame. */
const FOREIGN = /^(?:node:|native$|<anonymous>|internal\/|wasm:|eval at )|[\\/]node_modules[\\/]|^[^\\/.]*$/
/** Two letters come from a minifier and change with each build. */
const NAME_MIN_LENGTH = 3

/** Function and file of the innermost frame outside Node and dependencies; null when there is none. */
export function topOwnFrame(stack: string | null): string | null {
  for (const line of stack?.slice(0, MAX_STACK_LENGTH).split('\n') ?? []) {
    const frame = line.length > MAX_LINE_LENGTH ? '' : line.trim()
    if (!frame.startsWith('at ')) continue
    const bracket = frame.indexOf(' (', 'at'.length)
    const fullName = bracket === -1 ? '' : frame.slice('at '.length, bracket)
    const location = withoutPosition(bracket === -1 ? frame.slice('at '.length) : frame.slice(bracket + ' ('.length).replace(/\)$/, ''))
    if (FOREIGN.test(location)) continue
    const name = fullName.replace(/^async /, '')
    return `${name.length < NAME_MIN_LENGTH ? '' : name}@${fileOf(location)}`
  }
  return null
}

/** `file:line:column` without the numbers. */
function withoutPosition(location: string): string {
  return location.replace(/:\d+$/, '').replace(/:\d+$/, '')
}

/** The last two segments: deployment folders change between releases, the file does not. */
function fileOf(location: string): string {
  const end = location.search(/[?#]/)
  return (end === -1 ? location : location.slice(0, end)).split(/[\\/]/).slice(-2).map(withoutHash).join('/')
}

/** Removes the hash that bundlers put into file names. */
function withoutHash(name: string): string {
  const parts = /^(.*)[.-](\w+)(\.[cm]?[jt]sx?)$/.exec(name)
  return parts !== null && isHash(parts[2]!) ? `${parts[1]}${parts[3]}` : name
}

function isHash(text: string): boolean {
  if (/^[0-9a-f]{8,64}$/.test(text)) return /\d/.test(text)
  if (/^[A-Z0-9]{8}$/.test(text)) return true
  const hasBothCases = /^\w{8}$/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text)
  return hasBothCases && (/\d/.test(text) || (text.slice(1).match(/[A-Z]/g)?.length ?? 0) >= 2)
}
