import { layer as memory } from "@leadloom/core/memory/MemoryStore"
import { assistantsSuite, callsSuite } from "@leadloom/testkit/suite/call/CallsSuite"
import { assistantSuite } from "@leadloom/testkit/suite/intake/AssistantSuite"
import { callSuite } from "@leadloom/testkit/suite/call/CallSuite"
import { silentCallSuite } from "@leadloom/testkit/suite/call/SilentCallSuite"

callsSuite("memory", memory)
assistantsSuite("memory", memory)
assistantSuite("memory", memory)
callSuite("memory", memory)
silentCallSuite("memory", memory)
