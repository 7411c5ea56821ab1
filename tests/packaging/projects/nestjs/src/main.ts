import 'reflect-metadata';
import { Inject, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Cluster } from 'ioredis';
import * as main from 'redslot-wasm';
import type { Redslot } from 'redslot-wasm/ioredis';
import { RedisModule, SLOTS } from './redis.module';

const job = require('@packaging/job');

@Injectable()
class Batches {
  constructor(@Inject(SLOTS) private readonly slots: Redslot<Cluster>) {}

  run(): Promise<unknown> {
    return job.batch(this.slots);
  }
}

@Module({ imports: [RedisModule], providers: [Batches] })
class AppModule {}

async function run(): Promise<void> {
  const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error', 'warn'] });
  const replies = await app.get(Batches).run();
  console.log(JSON.stringify({ ...job.slots(main), replies }));
  await app.close();
}

void run();
