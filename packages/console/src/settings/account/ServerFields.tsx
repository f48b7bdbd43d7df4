import type { MailServer } from "@leadloom/client"
import { Field, Fields } from "../../component/Field.tsx"
import blocks from "../../design/Blocks.module.css"
import { accountText } from "../../text/Account.ts"
import { issueAt } from "./MailboxProblem.tsx"

const { mailbox: shown } = accountText

interface ServerFieldsProps {
  readonly name: "imap" | "smtp"
  /** The found server; undefined: none, so the fields are empty. */
  readonly found: MailServer | undefined
  readonly error: Error | null
}

/** The host, the port and the security of a mail server. */
export const ServerFields = ({ error, found, name }: ServerFieldsProps) => (
  <fieldset className={blocks.group}>
    <legend>{shown.servers[name]}</legend>
    <Fields>
      <Field
        label={shown.host}
        hint={found === undefined ? shown.hostHints[name] : undefined}
        error={issueAt(error, `${name}.host`)}
      >
        {(control) => (
          <input {...control} name={`${name}.host`} required autoComplete="off" defaultValue={found?.host} />
        )}
      </Field>
      <Field
        label={shown.port}
        hint={found === undefined ? shown.portHints[name] : undefined}
        error={issueAt(error, `${name}.port`)}
      >
        {(control) => (
          <input
            {...control}
            name={`${name}.port`}
            type="number"
            required
            min={1}
            max={65_535}
            defaultValue={found?.port}
          />
        )}
      </Field>
      <Field label={shown.security} error={issueAt(error, `${name}.security`)}>
        {(control) => (
          <select {...control} name={`${name}.security`} defaultValue={found?.security ?? "tls"}>
            {Object.entries(shown.securities).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
    </Fields>
  </fieldset>
)
