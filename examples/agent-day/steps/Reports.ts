import type { Message, ReportRow } from "@leadloom/client"
import { check, type Place } from "../Day.ts"

/** The part of a report row that the day determines. */
type Count = readonly [group: string | null, count: number, averageSeconds: number | null]

const countsOf = (rows: ReadonlyArray<ReportRow>, metric: ReportRow["metric"]): ReadonlyArray<Count> =>
  rows
    .filter((row) => row.metric === metric)
    .map(({ average_seconds, count, group }) => [group, count, average_seconds])

/** Reads the messages of all conversations, by contact and oldest first. */
const readMessages = async ({ manager, tenant }: Place): Promise<ReadonlyArray<ReadonlyArray<Message>>> => {
  const { conversations } = await manager.conversations.list(tenant)
  const pages = conversations.map(({ contact_id }) => manager.conversations.get(tenant, contact_id))
  return (await Promise.all(pages)).map(({ messages }) => messages)
}

const isReceived = ({ actor }: Message): boolean => actor === "contact"

/** Returns the seconds that each contact waited for the first answer. */
const waitsOf = (conversations: ReadonlyArray<ReadonlyArray<Message>>): ReadonlyArray<number> =>
  conversations.flatMap((messages) => {
    const [question, answer] = [messages.find(isReceived), messages.find((message) => !isReceived(message))]
    if (question === undefined || answer === undefined) return []
    return [Math.round((Date.parse(answer.timestamp) - Date.parse(question.timestamp)) / 1_000)]
  })

/** Compares volume, first responses and resolutions with the conversations of the day. */
export const checkReports = async (place: Place): Promise<ReadonlyArray<string>> => {
  const { manager, tenant } = place
  const conversations = await readMessages(place)
  const messages = conversations.flat()
  const received = messages.filter(isReceived).length
  const volume = await manager.reports.get(tenant, "volume", { groupBy: "channel" })
  check(countsOf(volume.rows, "received"), [["email", received, null]], "the received messages")
  check(countsOf(volume.rows, "sent"), [["email", messages.length - received, null]], "the sent messages")

  const waits = waitsOf(conversations)
  const average = Math.round(waits.reduce((sum, seconds) => sum + seconds, 0) / waits.length)
  const responses = await manager.reports.get(tenant, "response_times", { groupBy: "channel" })
  check(countsOf(responses.rows, "first_response"), [["email", waits.length, average]], "the first responses")

  const { users } = await manager.users.list(tenant)
  const ada = users.find(({ name }) => name === "Ada")
  const resolutions = await manager.reports.get(tenant, "resolution_times", { groupBy: "user" })
  const closed = countsOf(resolutions.rows, "resolution").map(([user, count]) => [user, count])
  // Ada closes all conversations in the evening, and has closed one before that was reopened.
  check(closed, [[ada?.id, conversations.length + 1]], "the closed conversations")
  return ["reports: volume, first responses and resolutions equal the conversations"]
}
