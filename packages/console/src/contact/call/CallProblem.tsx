import { isLeadloomError } from "@leadloom/client"
import { issuesOf } from "../../app/RejectedFields.ts"
import blocks from "../../design/Blocks.module.css"
import { longTime } from "../../design/Time.ts"
import { Rejection } from "../../form/Rejection.tsx"
import { callText } from "../../text/Call.ts"
import { isOutcomeLost } from "./CallData.ts"

const { place: shown } = callText

/** Returns a member of the details of an error. */
const detailOf = (error: Error, name: string): unknown => {
  const details: unknown = isLeadloomError(error, "CONFLICT", "CALL_NOT_ALLOWED") ? error.details : null
  return typeof details === "object" && details !== null ? Reflect.get(details, name) : undefined
}

const textsIn = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : []

/** Says why a call was not placed or transferred, and when it may be placed. */
export const CallProblem = ({ error }: { readonly error: Error | null }) => {
  if (error === null) return null
  const reasons = textsIn(detailOf(error, "reasons"))
  const until = detailOf(error, "until")
  // The message of the server names fields of the API.
  if (issuesOf(error).some(({ path }) => path === "agent_phone"))
    return (
      <p role="alert" className={blocks.error}>
        {shown.noPhone}
      </p>
    )
  if (reasons.length === 0 && !isOutcomeLost(error)) return <Rejection error={error} />
  return (
    <div role="alert" className={blocks.error}>
      {reasons.length === 0 ? <p>{shown.lost}</p> : <p>{shown.refused}</p>}
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      {typeof until === "string" ? <p>{shown.until(longTime(until))}</p> : null}
    </div>
  )
}
