import { Link } from 'wouter'
import { Empty } from '../../components/frame/states.tsx'

export function NotFoundPage() {
  return <Empty title="There is no page at this address"><p><Link href="/">Go to the dashboard</Link></p></Empty>
}
