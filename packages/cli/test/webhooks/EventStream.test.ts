import { createClient, type FetchResponse } from "@leadloom/client"
import { expect, it } from "vitest"
import { followEvents } from "../../src/webhooks/EventStream.ts"

const eventStream = (text: string): FetchResponse =>
  new Response(text, { headers: { "content-type": "text/event-stream" } })

it("reopens a stream at the last position, even when no event has arrived", async () => {
  const urls: Array<string> = []
  const answers = ["retry: 2000\n\n: nothing new\nid: 6\n\n", 'id: 7\nevent: lead.scored\ndata: {"a":1}\n\n']
  const client = createClient({
    baseUrl: "https://leads.example.com",
    fetch: (url) => {
      urls.push(new URL(url).search)
      return Promise.resolve(eventStream(answers.shift() ?? ""))
    }
  })
  const stop = new AbortController()
  let opened = 0
  for await (const event of followEvents(client, { tenant: "acme", types: undefined }, stop.signal, () => opened++)) {
    expect(event).toEqual({ id: "7", type: "lead.scored", data: '{"a":1}' })
    break
  }
  expect({ urls, opened }).toEqual({ urls: ["", "?after=6"], opened: 2 })
})
