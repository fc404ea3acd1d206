// A load thread that records delays; built in place of the real one by screen.ts.
import './record-delays.ts'
import '../../src/load/worker.ts'
