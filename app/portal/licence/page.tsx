import type { Metadata } from 'next'
import { Time } from '#components/data/time.tsx'
import { AcceptLicenceForm } from '#components/portal/account-forms.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'

export const metadata: Metadata = { title: 'Data Licence' }

export default async function LicencePage() {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const { label, changes } = await (await portalCaller()).licence.current()
  const { licenceDue } = viewer
  const isOver = licenceDue !== null && licenceDue.by.getTime() <= Date.now()
  return (
    <div className="flex max-w-152 flex-col gap-5">
      <h1 className="text-h1 font-semibold tracking-tight">Data Licence {label}</h1>
      {licenceDue === null ? (
        <Notice tone="good">You have accepted this version.</Notice>
      ) : (
        <Notice tone="caution">
          {isOver ? 'Calls stopped on ' : 'Calls stop on '}
          <Time at={licenceDue.by} look="day" />
          {isOver ? '. They resume once you accept.' : ' unless you accept.'}
        </Notice>
      )}
      {changes === '' ? null : (
        <section aria-labelledby="changes">
          <h2 id="changes" className="text-h2 font-semibold">
            What changed
          </h2>
          <p className="mt-1 whitespace-pre-line text-pretty">{changes}</p>
        </section>
      )}
      <p>
        <a className="prose-link" href={`/licence/${label}`}>
          Read the full text
        </a>
      </p>
      {licenceDue === null ? null : <AcceptLicenceForm label={label} />}
    </div>
  )
}
