import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import type { Session } from '../../../../schemas/index.ts'
import { OLD_AFTER_MS } from '../../format/health/seen.ts'
import { currentMark, mainRoutes, routeOf } from '../../format/places/routes.ts'
import { formatClock } from '../../format/time/time.ts'
import { useTick } from '../../hooks/use-now.ts'
import type { Failure } from '../../hooks/use-settled.ts'
import { useLanguage } from '../../hooks/use-language.ts'
import { useTheme, type Theme } from '../../hooks/use-theme.ts'
import { useZone } from '../../hooks/use-zone.ts'
import { Icon, type IconName } from '../elements/icon.tsx'
import { showCurrent } from '../elements/show-current.ts'
import { SignInAgain } from './sign-in-again.tsx'
import { frameTexts } from '../../texts/frame.ts'

interface Props {
  readonly session: Session | undefined
  readonly failure: Failure | null
  /** When the last response arrived; 0 before the first one. */
  readonly answeredAt: number
  /** The server responds with old data, because one of its datastores cannot be reached. */
  readonly isBlind: boolean
  readonly pausedSince: number | null
  readonly onPause: () => void
  readonly onPalette: () => void
  readonly onHelp: () => void
  readonly path: string
}

export function Header({ session, failure, answeredAt, isBlind, pausedSince, onPause, onPalette, onHelp, path }: Props) {
  const { theme, next } = useTheme()
  const zone = useZone()
  const tabs = useRef<HTMLElement>(null)
  useEffect(() => showCurrent(tabs.current), [path, session?.actions])
  const language = useLanguage()
  const languageWords = frameTexts.language(language.name)
  const themeWords = frameTexts.theme(frameTexts.themes[theme])
  return (
    <header className="header">
      <a className="skip" href="#main" onClick={event => { event.preventDefault(); document.getElementById('main')?.focus() }}>
        {frameTexts.skip}
      </a>
      {session?.back_link && <BackLink {...session.back_link} />}
      <span className="brand">
        {session?.logo && <img className="brand-logo" src={session.logo} alt="" />}
        <bdi className="brand-title" title={session?.title}>
          {session?.title ?? frameTexts.defaultTitle}
        </bdi>{session?.environment && <Environment name={session.environment} />}
      </span>
      <nav ref={tabs} className="tabs" aria-label={frameTexts.pagesLabel}>
        {mainRoutes(session?.actions).map(route =>
          <Link key={route.path} href={route.path} className="tab" aria-current={currentMark(route, routeOf(path))}>{route.title}</Link>)}
      </nav>
      <div className="header-tools">
        <Connection failure={failure} answeredAt={answeredAt} isBlind={isBlind} pausedSince={pausedSince} />
        {session?.read_only && <span className="environment" title={frameTexts.readOnly}>{frameTexts.readOnlyInShort}</span>}
        {session?.user &&
          <span className="user" title={`${frameTexts.signedInAs} ${session.user}`}>
            <span className="sr-only">{frameTexts.signedInAs} </span><bdi>{session.user}</bdi>
          </span>}
        <button type="button" className="button palette-button" onClick={onPalette} title={frameTexts.findTitle}>
          <Icon name="search" /><span>{frameTexts.find}</span><kbd>{frameTexts.findKeys}</kbd>
        </button>
        <button
          type="button" className="button button-icon" onClick={onPause} aria-pressed={pausedSince !== null}
          aria-label={frameTexts.pause} title={frameTexts.pauseTitle}
        >
          <Icon name={pausedSince === null ? 'pause' : 'play'} />
        </button>
        <button
          type="button" className="button button-icon zone-button" onClick={zone.toggle} aria-pressed={zone.isUtc}
          aria-label={frameTexts.inUtc} title={zone.isUtc ? frameTexts.areInUtc : frameTexts.areInYourZone}
        >
          UTC
        </button>
        <button
          type="button" className="button button-icon language-button" onClick={language.next} title={languageWords}
        >
          <span className="sr-only">{languageWords}, </span>{language.language.toUpperCase()}
        </button>
        <button type="button" className="button button-icon" onClick={next} aria-label={themeWords} title={themeWords}>
          <Icon name={THEME_ICONS[theme]} />
        </button>
        <button
          type="button" className="button button-icon help-button" onClick={onHelp} aria-label={frameTexts.shortcuts}
          title={frameTexts.shortcutsTitle}
        >
          <Icon name="keyboard" />
        </button>
      </div>
    </header>
  )
}

const THEME_ICONS: Record<Theme, IconName> = { system: 'system', light: 'light', dark: 'dark' }

function BackLink({ href, text }: { href: string; text: string }) {
  return <a className="back-link" href={href} title={text}><Icon name="back" /><bdi>{text}</bdi></a>
}

function Environment({ name }: { name: string }) {
  const kind = /^prod/i.test(name) ? 'production' : /^(?:stag|pre|test|qa)/i.test(name) ? 'staging' : 'other'
  return <span className={`environment environment-${kind}`} title={name}><bdi>{name}</bdi></span>
}

function Connection({ failure, answeredAt, isBlind, pausedSince }: Pick<Props, 'failure' | 'answeredAt' | 'isBlind' | 'pausedSince'>) {
  // After the machine has slept, nothing has failed yet, because nothing has been requested yet.
  const isLate = useTick(now => answeredAt !== 0 && now - answeredAt > OLD_AFTER_MS)
  const at = failure ? failure.since : pausedSince ?? (isLate ? answeredAt : null)
  const since = useTick(now => (at === null ? '' : formatClock(at, now)))
  if (failure?.status === 401) {
    return <>
      <span className="connection connection-lost" role="status"><i aria-hidden="true" />{frameTexts.signedOut}</span>
      <SignInAgain isSmall />
    </>
  }
  const [kind, text] = failure
    ? ['lost', at === null
      ? failure.status === 0 ? frameTexts.noAnswerNow : frameTexts.notLive
      : failure.status === 0 ? frameTexts.noAnswerSince(since) : frameTexts.notLiveSince(since)]
    : pausedSince !== null
      ? ['paused', frameTexts.pausedSince(since)]
      : isLate
        ? ['lost', frameTexts.notLiveSince(since)]
        : isBlind ? ['lost', frameTexts.notLive] : ['live', frameTexts.live]
  return <span className={`connection connection-${kind}`} role="status"><i aria-hidden="true" />{text}</span>
}
