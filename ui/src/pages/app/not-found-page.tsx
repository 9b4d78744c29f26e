import { Link } from 'wouter'
import { Empty } from '../../components/frame/states.tsx'
import { frameTexts } from '../../texts/frame.ts'

export function NotFoundPage() {
  return <Empty title={frameTexts.noPage}><p><Link href="/">{frameTexts.goToDashboard}</Link></p></Empty>
}
