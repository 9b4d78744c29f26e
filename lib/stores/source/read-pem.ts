import { readFileSync } from 'node:fs'

/** @param refuse throws; gets what is wrong with the file, as the end of a sentence: `cannot be read (ENOENT): it does not exist` */
export function readPem(file: string, refuse: (problem: string) => never): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    return refuse(`cannot be read (${code})${code === 'ENOENT' ? ': it does not exist' : ''}`)
  }
  return isPem(text) ? text : refuse('is not a PEM file')
}

export function isPem(text: string | Buffer): boolean {
  return text.includes('-----BEGIN ')
}
