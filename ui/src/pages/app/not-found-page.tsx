import { Link } from 'wouter'
import { Empty } from '../../components/frame/states.tsx'
import { texts } from '../../texts/texts.ts'

export function NotFoundPage() {
  return <Empty title={texts.frame.noPage}><p><Link href="/">{texts.frame.goToDashboard}</Link></p></Empty>
}
