import type { Message } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { useConnection } from "../app/Connection.ts"
import { conversationText } from "../text/Conversation.ts"
import styles from "./MessageItem.module.css"

const problems: ReadonlySet<string> = new Set(["failed", "bounced", "unknown"])

/** The reason for the delivery state of a message, from its latest step. */
const Reason = ({ delivery, messageId }: { readonly delivery: string; readonly messageId: string }) => {
  const { client, tenantId } = useConnection()
  const detail = useQuery({
    queryKey: [tenantId, "message", messageId, delivery],
    queryFn: ({ signal }) => client.messages.get(tenantId, messageId, { signal })
  })
  const reason = detail.data?.delivery_history.findLast((step) => step.reason !== null)?.reason
  return reason === undefined ? null : <>: {reason}</>
}

/** The delivery state of a message that was sent. Events keep it current. */
export const Delivery = ({ message }: { readonly message: Message }) => {
  const { delivery, message_id, reason } = message
  if (!delivery) return null
  const isProblem = problems.has(delivery)
  return (
    <span className={isProblem ? styles.problem : undefined}>
      {conversationText.delivery[delivery]}
      {isProblem && message_id !== undefined ? <Reason messageId={message_id} delivery={delivery} /> : null}
      {reason === undefined ? null : `: ${reason}`}
    </span>
  )
}
