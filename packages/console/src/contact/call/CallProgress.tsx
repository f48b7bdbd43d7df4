import type { CallRecord } from "@leadloom/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useConnection } from "../../app/Connection.ts"
import { useMay } from "../../app/Permissions.ts"
import { Facts } from "../../component/Facts.tsx"
import { clockDuration } from "../../design/Time.ts"
import { DialogActions } from "../../dialog/Dialog.tsx"
import { callText } from "../../text/Call.ts"
import { callOptions } from "./CallData.ts"
import { Transfer } from "./Transfer.tsx"

const { place: shown } = callText

interface CallProgressProps {
  readonly call: CallRecord
  readonly onClose: () => void
}

/** The state of a placed call until it ends, with the transfer of a connected one. */
export const CallProgress = ({ call: placed, onClose }: CallProgressProps) => {
  const queries = useQueryClient()
  const options = callOptions(useConnection(), placed)
  const { data: call } = useQuery(options)
  const mayTransfer = useMay("calls.transfer")
  const { agent_phone: agentPhone, duration_seconds: seconds, reason, status, to, transferred_to: target } = call
  return (
    <>
      <p role="status">{shown.statuses[status]}</p>
      <Facts
        facts={[
          [shown.agentPhone, agentPhone],
          [shown.number, to],
          ...(target === null ? [] : [[shown.transferred, target] as const]),
          ...(reason === null ? [] : [[shown.reason, reason] as const]),
          ...(seconds === null ? [] : [[callText.columns.duration, clockDuration(seconds)] as const])
        ]}
      />
      {status === "in_progress" && mayTransfer ? (
        <Transfer call={call} onTransferred={(changed) => queries.setQueryData(options.queryKey, changed)} />
      ) : null}
      <DialogActions>
        <button type="button" onClick={onClose}>
          {callText.close}
        </button>
      </DialogActions>
    </>
  )
}
