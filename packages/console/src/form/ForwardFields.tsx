import type { Action } from "@leadloom/client"
import { Field } from "../component/Field.tsx"
import { actionFormText } from "../text/Actions.ts"
import { messageText } from "../text/rule/Message.ts"

const { forward: shown } = actionFormText

type Forward = Extract<Action, { readonly type: "forward" }>

const withBody = ({ body: _, ...others }: Forward, body: string): Forward =>
  body === "" ? others : { ...others, body }

/** Returns the addresses of lines. An action without an address keeps an empty one, which the server rejects. */
const addressesIn = (typed: string): Forward["to"] => {
  const [first = "", ...others] = typed.split("\n").flatMap((line) => line.trim() || [])
  return [first, ...others]
}

interface ForwardProps {
  readonly action: Forward
  readonly onChange: (action: Forward) => void
}

/** The fields of the action that forwards the email. */
export const ForwardFields = ({ action, onChange }: ForwardProps) => (
  <>
    <Field label={shown.to} hint={shown.toHint}>
      {(control) => (
        // The field keeps an empty last line while the person types, so it is not controlled.
        <textarea
          {...control}
          rows={2}
          defaultValue={action.to.join("\n")}
          onChange={(event) => onChange({ ...action, to: addressesIn(event.target.value) })}
        />
      )}
    </Field>
    <Field label={shown.body} hint={messageText.bodyHint}>
      {(control) => (
        <textarea
          {...control}
          rows={3}
          value={action.body ?? ""}
          onChange={(event) => onChange(withBody(action, event.target.value))}
        />
      )}
    </Field>
  </>
)
