import { Time } from '#components/data/time.tsx'
import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { FormDone, SubmitButton } from '#components/forms/submit-button.tsx'

/** Shown to accounts without webhooks: the time of their request, and a button to request them. */
export function AskForWebhooks({ askedAt, canAsk, action }: { askedAt: Date | null; canAsk: boolean; action: FormAction }) {
  return (
    <>
      <p>Webhooks aren't enabled for your account.</p>
      {askedAt === null ? null : (
        <p className="mt-1 text-pretty">
          You requested webhooks on <Time at={askedAt} isStop />.{canAsk ? '' : ' You can send another request after a day.'}
        </p>
      )}
      <div className="mt-4">
        <Form action={action} name="ask">
          {canAsk ? <SubmitButton>{askedAt === null ? 'Request webhooks' : 'Request again'}</SubmitButton> : <FormDone />}
        </Form>
      </div>
    </>
  )
}
