/**
 * Serves the built files of the web console (`packages/console`) and the documents in which it shows mails. The pages
 * use the API like every other client, so no data is read here. Tests: `packages/server/test/http/Console.test.ts`.
 */
import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { failure, failureOf } from "../error/Failure.ts"
import { type PackedFile, packFile, respondFile, type StaticFile } from "../StaticFile.ts"
import type { ConsoleSignIn } from "../../config/OidcVariables.ts"
import { type ConsoleFiles, findConsoleFiles } from "./ConsoleFiles.ts"
import { assetPath, mailFramePaths, pagePaths, servedPaths, signInPath } from "../ConsolePaths.ts"
import { mailFrames } from "./MailFrame.ts"
import { SignInClient, signInPage } from "./SignInPage.ts"

/** Whether the server serves the console. */
export const ConsoleEnabled = Context.Reference<boolean>("server/http/ConsoleEnabled", { defaultValue: () => true })

const disabled = Effect.succeed(
  failure({ status: 404, message: "This server does not serve the console. The operator set LEADLOOM_CONSOLE=off." })
)

const notBuilt = Effect.succeed(
  failure({ status: 404, message: "This server was built without the console. Run npm run setup in its repository." })
)

const offLayer = HttpRouter.use((router) =>
  Effect.gen(function* () {
    for (const path of servedPaths) yield* router.add("GET", path, disabled)
  })
)

/** The packed files. The first request for a file packs it, so that a server without readers does not keep it. */
const makeCache = () => {
  const packed = new Map<StaticFile, Promise<PackedFile>>()
  return (file: StaticFile): Promise<PackedFile> => {
    const known = packed.get(file) ?? packFile(file)
    packed.set(file, known)
    return known
  }
}

const respondPacked = (packed: PackedFile) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => respondFile(packed, request))

/** Returns the route of the sign-in with an identity provider, whose endpoints are read at most once a minute. */
const makeSignIn = (files: Effect.Effect<ConsoleFiles | null>, client: ConsoleSignIn) => {
  const pack = Effect.gen(function* () {
    const found = yield* files
    if (found === null) return null
    const file = yield* signInPage(found.page, client)
    return yield* Effect.promise(() => packFile(file))
  })
  return Effect.map(Effect.cachedWithTTL(pack, "1 minute"), (cached) =>
    Effect.flatMap(cached, (packed) => (packed === null ? notBuilt : respondPacked(packed)))
  )
}

const onLayer = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const files = yield* Effect.cached(Effect.promise(findConsoleFiles))
    const pack = makeCache()
    const respond = (file: StaticFile) =>
      Effect.flatMap(
        Effect.promise(() => pack(file)),
        respondPacked
      )
    const page = Effect.flatMap(files, (found) => (found === null ? notBuilt : respond(found.page)))
    const asset = Effect.gen(function* () {
      const { file: name = "" } = yield* HttpRouter.params
      const file = (yield* files)?.assets.get(name)
      return file === undefined ? failureOf(404) : yield* respond(file)
    })
    const client = yield* SignInClient
    const signIn = client === null ? page : yield* makeSignIn(files, client)
    for (const path of pagePaths) yield* router.add("GET", path, path === signInPath ? signIn : page)
    yield* router.add("GET", assetPath, asset)
    yield* router.add("GET", mailFramePaths.blocked, respond(mailFrames.blocked))
    yield* router.add("GET", mailFramePaths.images, respond(mailFrames.images))
  })
)

/** The routes of the console. */
export const layer = Layer.unwrap(Effect.map(ConsoleEnabled, (isEnabled) => (isEnabled ? onLayer : offLayer)))
