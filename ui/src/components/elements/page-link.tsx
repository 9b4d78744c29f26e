import { createContext, useContext, type ReactNode } from 'react'
import { Link } from 'wouter'

/** Whether the reader may open the page of an address. */
export const MayOpen = createContext<(href: string) => boolean>(() => true)

interface Props {
  readonly href: string
  readonly className?: string
  readonly title?: string
  /** Marks the link that opens a row of a list. */
  readonly 'data-row-link'?: string
  /** The link only leads to that page, and its text says nothing else. */
  readonly isWay?: boolean
  readonly children: ReactNode
}

/** A link to another page. A reader who may not open that page sees only the text, or nothing if `isWay`. */
export function PageLink({ isWay = false, children, ...link }: Props) {
  if (useContext(MayOpen)(link.href)) return <Link {...link}>{children}</Link>
  return isWay ? null : <span title={link.title}>{children}</span>
}
