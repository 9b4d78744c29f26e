import { createHash } from 'node:crypto'

// Digests are stored, sent, and compared with those of other versions: the same text always has the same digest.

/** 43 characters: SHA-256 as base64url. */
export function digestOfText(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** The digest of a value as JSON, so the order of its fields counts. */
export function digestOfJson(value: unknown): string {
  return digestOfText(JSON.stringify(value))
}

/** 22 characters, for digests that a person sees or that are sent often: they still have 132 bits. */
export function shortDigestOfText(text: string): string {
  return digestOfText(text).slice(0, SHORT_LENGTH)
}

export function shortDigestOfJson(value: unknown): string {
  return shortDigestOfText(JSON.stringify(value))
}

const SHORT_LENGTH = 22
