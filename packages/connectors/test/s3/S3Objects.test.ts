import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Objects } from "@leadloom/core/internal/port/system/Objects"
import { freePort } from "@leadloom/testkit/FreePort"
import { objectsSuite } from "@leadloom/testkit/suite/intake/ObjectsSuite"
import { AwsV4Signer } from "aws4fetch"
import { Effect, Layer } from "effect"
import { createEmulator, type Emulator } from "emulate"
import { afterAll, afterEach, describe, expect, it } from "vitest"
import * as S3Objects from "../../src/s3/S3Objects.ts"

/** The example keys in Amazon's documentation. */
const keys = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" }

let emulator: Emulator | null = null
afterAll(() => emulator?.close())

/** The S3 emulator of `emulate`, with a bucket. */
const started = Effect.promise(async () => {
  emulator ??= await createEmulator({ service: "aws", port: await freePort() })
  await fetch(`${emulator.url}/s3/leadloom`, {
    method: "PUT",
    headers: { authorization: `AWS4-HMAC-SHA256 Credential=${keys.accessKeyId}/20260301/us-east-1/s3/aws4_request` }
  })
  return `${emulator.url}/s3`
})

const bucket = (name: string, more: Partial<S3Objects.S3Options> = {}): Layer.Layer<Objects> =>
  Layer.unwrap(
    Effect.map(started, (endpoint) =>
      S3Objects.layer({ endpoint, bucket: name, region: "us-east-1", ...keys, ...more })
    )
  )

objectsSuite("S3", bucket("leadloom"))

const put = (layer: Layer.Layer<Objects>) =>
  Effect.runPromise(
    Effect.provide(
      Effect.flatMap(Objects, (objects) => Effect.flip(objects.put("acme", "raw_1", Buffer.from("x")))),
      layer
    )
  )

describe("a bucket", () => {
  it("is distinguished from a missing object when it is missing", async () => {
    const gone = bucket("probeCode")
    const read = Effect.flatMap(Objects, ({ get }) => Effect.flip(get("acme", "raw_1")))
    const failure = await Effect.runPromise(Effect.provide(read, gone))
    expect(failure).toMatchObject({ _tag: "ObjectsUnavailable", reason: "S3 answered GET with 404 (NoSuchBucket)" })
    expect((await put(gone)).reason).toContain("NoSuchBucket")
  })
})

describe("a service", () => {
  let close: (() => void) | null = null
  afterEach(() => {
    close?.()
    close = null
  })

  const answering = async (listener: (request: IncomingMessage, response: ServerResponse) => void) => {
    const server = createServer(listener)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    close = () => {
      server.closeAllConnections()
      server.close()
    }
    const address = server.address()
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
  }
  const at = (endpoint: string, more: Partial<S3Objects.S3Options> = {}) =>
    S3Objects.layer({ endpoint, bucket: "leadloom", region: "eu-central-1", ...keys, ...more })

  it("is reported with its error code and without secrets when it refuses", async () => {
    const endpoint = await answering((request, response) => {
      const body = `<Error><Code>SignatureDoesNotMatch</Code><Key>${request.headers.authorization} ${keys.secretAccessKey}</Key></Error>`
      response.writeHead(403).end(body)
    })
    const { reason } = await put(at(endpoint))
    expect(reason).toBe("S3 answered PUT with 403 (SignatureDoesNotMatch)")
  })

  it("receives a retry when it is temporarily busy", async () => {
    let requestCount = 0
    const endpoint = await answering((request, response) => {
      request.resume()
      response.writeHead(requestCount++ === 0 ? 503 : 200).end()
    })
    const write = Effect.flatMap(Objects, (objects) => objects.put("acme", "raw_1", Buffer.from("x")))
    await Effect.runPromise(Effect.provide(write, at(endpoint)))
    expect(requestCount).toBe(2)
  })

  it("causes a failure at the timeout when it does not respond", async () => {
    const silent = await answering(() => undefined)
    expect((await put(at(silent, { timeoutMillis: 50 }))).reason).toBe("S3 did not respond to PUT: the timeout expired")
    expect((await put(at(`http://127.0.0.1:${await freePort()}`))).reason).toBe(
      "S3 did not respond to PUT: ECONNREFUSED"
    )
  })

  it("receives a signature over the content at the path of bucket and object", async () => {
    const seen: Array<{ readonly url: string | undefined; readonly headers: IncomingMessage["headers"] }> = []
    const endpoint = await answering((request, response) => {
      seen.push({ url: request.url, headers: request.headers })
      request.resume()
      response.writeHead(200).end()
    })
    const write = Effect.flatMap(Objects, (objects) =>
      objects.put("acme", "raw_1", Buffer.from("Welcome to Amazon S3."))
    )
    await Effect.runPromise(Effect.provide(write, at(endpoint)))
    const [{ headers, url } = { headers: {}, url: "" }] = seen
    expect(url).toBe("/leadloom/acme/raw_1/raw_1")
    // Amazon's documented checksum of this text.
    const digest = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"
    expect(headers["x-amz-content-sha256"]).toBe(digest)
    const datetime = String(headers["x-amz-date"])
    const again = new AwsV4Signer({
      method: "PUT",
      url: `${endpoint}${url}`,
      headers: { "x-amz-content-sha256": digest },
      service: "s3",
      region: "eu-central-1",
      datetime,
      ...keys
    })
    expect(headers.authorization).toBe((await again.sign()).headers.get("authorization"))
  })
})

it("the signature equals Amazon's example of a GET (API reference, Signature Calculations for the Authorization Header)", async () => {
  const signer = new AwsV4Signer({
    url: "https://examplebucket.s3.amazonaws.com/test.txt",
    allHeaders: true,
    headers: {
      range: "bytes=0-9",
      "x-amz-content-sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    },
    service: "s3",
    region: "us-east-1",
    datetime: "20130524T000000Z",
    ...keys
  })
  const { headers } = await signer.sign()
  expect(headers.get("authorization")).toContain(
    "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
  )
})
