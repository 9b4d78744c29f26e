import { createContext, useContext, type ReactNode } from 'react'
import { Link } from 'wouter'

/** Whether the reader may open the page of an address. */
export const MayOpen = createContext<(href: string) => boolean>(() => true)

interface Props {
  readonly href: string
  readonly className?: string
  readonly title?: string
  /** It opens what a row of a list is about. */
  readonly 'data-row-link'?: string
  /** It is nothing but a way to that page. */
  readonly isWay?: boolean
  readonly children: ReactNode
}

/** A link to another page; for who may not open that page, its words alone, or nothing if it is only the way there. */
export function PageLink({ isWay = false, children, ...link }: Props) {
  if (useContext(MayOpen)(link.href)) return <Link {...link}>{children}</Link>
  return isWay ? null : <span title={link.title}>{children}</span>
}
