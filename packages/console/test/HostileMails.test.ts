import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, it } from "vitest"
import { describeConsole } from "./Harness.ts"
import { hostileMails } from "./HostileMails.ts"
import { twoConversations } from "./World.ts"

await describeConsole("a hostile mail", twoConversations, ({ signedIn, world }) => {
  it.each(Object.keys(hostileMails))(
    "%s runs nothing and fetches nothing, without the server's sanitiser",
    async (name) => {
      const fetched: Array<string> = []
      const trap = createServer((request, response) => {
        fetched.push(request.url ?? "")
        response.end()
      })
      await new Promise<void>((resolve) => trap.listen(0, "127.0.0.1", resolve))
      const html = hostileMails[name]?.(`http://evil.test:${(trap.address() as AddressInfo).port}`) ?? ""
      const page = await signedIn()
      await page.route(/\/conversations\/con_\w+\?limit/u, async (route) => {
        const response = await route.fetch()
        const body = await response.json()
        for (const message of body.messages) message.html_body = `<p>the start of the mail</p>${html}`
        await route.fulfill({ response, json: body })
      })
      await page.getByRole("link", { name: /Maria/u }).click()
      const frame = page.frameLocator("iframe").first()
      await frame.getByText("the start of the mail").waitFor({ state: "attached" })
      for (const link of await frame.locator("a[href^=javascript],button").all()) {
        await link.dispatchEvent("click")
      }
      expect(await page.evaluate(() => Reflect.get(globalThis, "pwned"))).toBeUndefined()
      expect(fetched).toEqual([])
      expect(new URL(page.url()).origin).toBe(world().url)
      await new Promise((resolve) => trap.close(resolve))
    }
  )
})
