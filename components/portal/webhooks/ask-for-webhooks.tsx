import { Time } from '#components/data/time.tsx'
import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { FormDone, SubmitButton } from '#components/forms/submit-button.tsx'

/** That an account has no webhooks, when it asked for them, and the way to ask. */
export function AskForWebhooks({ askedAt, canAsk, action }: { askedAt: Date | null; canAsk: boolean; action: FormAction }) {
  return (
    <>
      <p>Webhooks are not switched on for your account.</p>
      {askedAt === null ? null : (
        <p className="mt-1 text-pretty">
          You asked us to switch them on: <Time at={askedAt} isStop />.{canAsk ? '' : ' You can ask again after a day.'}
        </p>
      )}
      <div className="mt-4">
        <Form action={action} name="ask">
          {canAsk ? <SubmitButton>{askedAt === null ? 'Ask us to switch them on' : 'Ask us again'}</SubmitButton> : <FormDone />}
        </Form>
      </div>
    </>
  )
}
