// For BullMQ on a cluster. Its scripts take several keys of a queue each, so all of them have to be
// in one hash slot, which braces in the prefix do. Without them the first job fails with CROSSSLOT,
// even where one node has all slots.
//
// A prefix per queue spreads the queues over the nodes; one queue is always on one node. Queues of
// one flow (FlowProducer) need the same prefix. redslot-wasm sends nothing of BullMQ's: a script or
// transaction over two slots is impossible, and this says so before there are any jobs.
import { Queue, QueueKeys, type QueueOptions } from 'bullmq';
import { assertSameSlot } from 'redslot-wasm';

/**
 * Opens a queue, such as `openQueue('mail', { prefix: '{mail}', connection: cluster })`; its workers
 * need the same prefix.
 *
 * @throws CrossSlotError, with what to change, when its keys are in more than one slot
 */
export function openQueue(name: string, options: QueueOptions): Queue {
  slotOfQueue(name, options.prefix);
  return new Queue(name, options);
}

/** The hash slot that all keys of a queue are in. */
export function slotOfQueue(name: string, prefix?: string): number | null {
  return assertSameSlot(Object.values(new QueueKeys(prefix).getKeys(name)));
}
