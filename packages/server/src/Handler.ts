import { type Layer as L, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { routerConfig } from "./http/middleware/Methods.ts"
import * as Routes from "./http/Routes.ts"

/** The whole application as a function from request to response, without a socket. */
export interface Handler {
  readonly fetch: (request: Request) => Promise<Response>
  /** Stops the services that the layers started. */
  readonly close: () => Promise<void>
}

/** Serves every route with the given services. The first request waits until the services are built. */
export const makeHandler = <E>(services: L.Layer<Routes.Services, E>): Handler => {
  const app = Routes.layer.pipe(Layer.provideMerge(services), Layer.provide(HttpServer.layerServices))
  const { dispose, handler } = HttpRouter.toWebHandler(app, { disableLogger: true, routerConfig })
  return { fetch: (request) => handler(request), close: dispose }
}
