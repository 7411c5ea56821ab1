import { Cluster as Cluster6 } from 'ioredis';
import { Cluster as Cluster5 } from 'ioredis-5';
import { Cluster as Oldest } from 'ioredis-5.0';
import { Cluster as Iovalkey } from 'iovalkey';

export const Cluster50 = Oldest as unknown as typeof Cluster6;

/**
 * The clients that the shim promises to work with, each with the module that it comes from:
 * ioredis oldest, newest 5, newest, and its fork.
 */
export const releases = [
  ['ioredis 5.0.0', Cluster50, 'ioredis-5.0'],
  ['ioredis 5', Cluster5 as unknown as typeof Cluster6, 'ioredis-5'],
  ['ioredis 6', Cluster6, 'ioredis'],
  ['iovalkey', Iovalkey as unknown as typeof Cluster6, 'iovalkey'],
] as const;

export type ClusterClass = typeof Cluster6;
export type ClusterInstance = InstanceType<ClusterClass>;
export type ClusterSettings = NonNullable<ConstructorParameters<ClusterClass>[1]>;
