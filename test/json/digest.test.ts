import t from 'tap'
import { digestOfJson, digestOfText, shortDigestOfJson, shortDigestOfText } from '../../lib/json/digest.ts'

t.test('digests never change, because they are stored and sent', async t => {
  t.equal(digestOfText('naïve ☃'), 'CQttlfKaVjiVW6xNDNS6GOhzPSbQiJr8w9WMNXhHCI4')
  t.equal(shortDigestOfText('naïve ☃'), 'CQttlfKaVjiVW6xNDNS6GO')
  t.equal(digestOfJson(['a', null, { b: 1 }]), 'RdzmVZp1mYw5qmG8gYghc7z_4L-oYRptecLrhQ8mmAU')
  t.equal(shortDigestOfJson(['a', null, { b: 1 }]), 'RdzmVZp1mYw5qmG8gYghc7')
  t.equal(digestOfJson('a'), digestOfText('"a"'))
})
