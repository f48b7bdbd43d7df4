import type { Action } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { useConnection } from "../app/Connection.ts"
import { Loaded } from "../app/Loaded.tsx"
import { Field } from "../component/Field.tsx"
import blocks from "../design/Blocks.module.css"
import { actionFormText } from "../text/Actions.ts"
import { customFieldsOptions, fieldsOf } from "./CustomFields.ts"

const { callWebhook: shown } = actionFormText

type CallWebhook = Extract<Action, { readonly type: "call_webhook" }>
type Stored = NonNullable<CallWebhook["store"]>

/** The values that a rule stores at most, as in the API. */
const maxStored = 10

const withStored = ({ store: _, ...others }: CallWebhook, store: Stored): CallWebhook =>
  Object.keys(store).length === 0 ? others : { ...others, store }

interface CallWebhookProps {
  readonly action: CallWebhook
  readonly onChange: (action: CallWebhook) => void
}

/** The subscription whose secret signs the request. A deleted one stays visible until another one is chosen. */
const SecretChoice = ({ action, onChange }: CallWebhookProps) => {
  const { client, tenantId } = useConnection()
  const webhooks = useQuery({
    queryKey: [tenantId, "webhooks", "of-actions"] as const,
    queryFn: async ({ signal }) => (await client.webhooks.list(tenantId, { signal })).webhooks,
    gcTime: 0
  })
  const chosen = action.webhook_id
  return (
    <Loaded query={webhooks}>
      {(found) => (
        <Field label={shown.secret} hint={found.length === 0 ? shown.noWebhooks : shown.secretHint}>
          {(control) => (
            <select
              {...control}
              value={chosen}
              onChange={(event) => onChange({ ...action, webhook_id: event.target.value })}
            >
              <option value="">{shown.chooseWebhook}</option>
              {chosen === "" || found.some(({ id }) => id === chosen) ? null : (
                <option value={chosen}>{shown.deletedWebhook(chosen)}</option>
              )}
              {found.map(({ id, url }) => (
                <option key={id} value={id}>
                  {url}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </Loaded>
  )
}

/** The custom fields of the contact that take values of the response. */
const StoredValues = ({ action, onChange }: CallWebhookProps) => {
  const { data } = useQuery(customFieldsOptions(useConnection()))
  const stored = action.store ?? {}
  const fields = fieldsOf(data, "contact")
  const labels = new Map(fields.map(({ key, label }) => [key, label]))
  const set = (next: Stored): void => onChange(withStored(action, next))
  const left = fields.filter(({ key }) => !Object.hasOwn(stored, key))
  return (
    <div className={blocks.group} role="group" aria-label={shown.stored}>
      {Object.entries(stored).map(([key, pointer]) => (
        <div key={key}>
          <Field label={shown.pointer(labels.get(key) ?? key)} hint={shown.pointerHint}>
            {(control) => (
              <input {...control} value={pointer} onChange={(event) => set({ ...stored, [key]: event.target.value })} />
            )}
          </Field>
          <button
            type="button"
            onClick={() => set(Object.fromEntries(Object.entries(stored).filter(([one]) => one !== key)))}
          >
            {shown.removeStored(labels.get(key) ?? key)}
          </button>
        </div>
      ))}
      {left.length === 0 || Object.keys(stored).length >= maxStored ? null : (
        <select
          aria-label={shown.addStored}
          value=""
          onChange={(event) => set({ ...stored, [event.target.value]: `/${event.target.value}` })}
        >
          <option value="">{shown.addStored}</option>
          {left.map(({ key, label }) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </select>
      )}
    </div>
  )
}

/** The fields of the action that asks another application. */
export const CallWebhookFields = (props: CallWebhookProps) => {
  const { action, onChange } = props
  return (
    <>
      <Field label={shown.url} hint={shown.urlHint}>
        {(control) => (
          <input
            {...control}
            type="url"
            value={action.url}
            onChange={(event) => onChange({ ...action, url: event.target.value })}
          />
        )}
      </Field>
      <SecretChoice {...props} />
      <StoredValues {...props} />
    </>
  )
}
