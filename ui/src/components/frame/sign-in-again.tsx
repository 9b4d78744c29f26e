import { useSignIn } from '../../hooks/use-sign-in.ts'
import { frameTexts } from '../../texts/frame.ts'

/** The way back in for who is signed out: to where the host signs people in, else the page anew, which shows what the server asks for. */
export function SignInAgain({ isSmall = false }: { isSmall?: boolean }) {
  const addressNow = useSignIn()
  const className = `button ${isSmall ? 'button-small' : ''}`
  const href = addressNow()
  if (href === null) return <button type="button" className={className} onClick={() => location.reload()}>{frameTexts.signInAgain}</button>
  // The address may have changed since this was drawn.
  return <a className={className} href={href} onClick={event => { event.currentTarget.href = addressNow() ?? href }}>
    {frameTexts.signInAgain}
  </a>
}
