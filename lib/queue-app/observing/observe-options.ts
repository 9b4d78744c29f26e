import type { StoreSource } from '../../stores/source/store-source.ts'
import type { QueueAppOptions } from '../options.ts'
import type { ObservationOptions } from './queues-source.ts'

/** `namespace`, `appName`, `retention`, `redact`, `onError`: as for `QueueApp.fromUrls`. */
export interface ObserveOptions
  extends ObservationOptions, Pick<QueueAppOptions, 'namespace' | 'appName' | 'retention' | 'redact' | 'onError'> {
  /**
   * Where the history is kept, in the same forms as for `QueueApp.fromUrls`. Default: in the memory of this process, so it is lost when the
   * process ends.
   */
  backend?: StoreSource
}
