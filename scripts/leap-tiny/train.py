#!/usr/bin/env python3
"""Trains leap-tiny on conversations that are generated as it goes.

    scripts/leap-tiny/train.py --folder /tmp/leap-tiny --steps 3000

One thread, seeded; a checkpoint every few minutes and when it is told to end (SIGTERM), from which the same command
continues. The learning rate rises over the first steps, stays, and falls to nothing over the last half (`--decay`), so
that the number of steps can be changed on the way. Matrices are trained by Muon (Jordan 2024), all else by AdamW;
products are computed in bfloat16.
"""

import argparse
import itertools
import signal
import time
from pathlib import Path

import torch
from torch.nn import functional

import evaluate
import vocabulary
from batches import Batches
from model import LFM2
from words import Source

BATCH, MICRO_BATCH = 8192, 4096  # tokens, padding included
MATRIX_RATE, OTHER_RATE, WARM_UP = 0.005, 0.003, 60
PROMPT_WEIGHT = 0.1  # what is not the assistant's counts a little: it teaches copying
CHECKPOINT_SECONDS = 240


class Optimizers:
    """Muon for the layers' matrices, AdamW for the embedding, the norms and the convolutions' taps."""

    def __init__(self, model):
        matrices = [weight for name, weight in model.named_parameters() if weight.ndim == 2
                    and "token_embd" not in name and not name.endswith("conv")]
        known = {id(weight) for weight in matrices}
        others = [weight for weight in model.parameters() if id(weight) not in known]
        self.parts = [
            (torch.optim.Muon(matrices, weight_decay=0.02, adjust_lr_fn="match_rms_adamw"), MATRIX_RATE),
            (torch.optim.AdamW(others, betas=(0.9, 0.98), weight_decay=0.0), OTHER_RATE)]

    def step(self, share):
        for optimizer, rate in self.parts:
            for group in optimizer.param_groups:
                group["lr"] = rate * share
            optimizer.step()
            optimizer.zero_grad()

    def state(self):
        return [optimizer.state_dict() for optimizer, _ in self.parts]

    def restore(self, states):
        for (optimizer, _), state in zip(self.parts, states):
            optimizer.load_state_dict(state)


def loss_of(model, batch):
    """Sums of cross entropy: weighted for the gradient, and of what the assistant says alone."""
    tokens, following, said, real = batch
    with torch.autocast("cpu", torch.bfloat16):
        logits = model(tokens)
    losses = functional.cross_entropy(logits.float().flatten(0, 1), following.flatten(), reduction="none").view_as(said)
    weights = said + PROMPT_WEIGHT * (real - said)
    return (losses * weights).sum(), (losses.detach() * said).sum(), weights.sum(), said.sum()


def train_step(model, optimizers, batches, share):
    """One update; returns the assistant's loss and the number of tokens."""
    micro = list(itertools.islice(batches, BATCH // MICRO_BATCH))
    total = sum((said + PROMPT_WEIGHT * (real - said)).sum() for _, _, said, real in micro)
    spoken, count = 0.0, 0.0
    for batch in micro:
        loss, said_loss, _, said = loss_of(model, batch)
        (loss / total).backward()
        spoken, count = spoken + said_loss.item(), count + said.item()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizers.step(share)
    return spoken / count, sum(int(real.sum()) for *_, real in micro)


def share_of_rate(step, steps, decay):
    return min(1, (step + 1) / WARM_UP, (steps - step) / (decay * steps))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--folder", type=Path, required=True, help="where checkpoints and the log lie")
    arguments.add_argument("--steps", type=int, default=3000)
    arguments.add_argument("--decay", type=float, default=0.5, help="the share of steps in which the rate falls")
    arguments.add_argument("--evaluate-every", type=int, default=250, metavar="STEPS")
    arguments.add_argument("--compile", action="store_true", help="let torch fuse operations; needs a C++ compiler")
    options = arguments.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    torch.manual_seed(1)

    model, tokenizer = LFM2(), vocabulary.tokenizer()
    optimizers, step, seconds, tokens = Optimizers(model), 0, 0.0, 0
    checkpoint = options.folder / "checkpoint.pt"
    if checkpoint.exists():
        stored = torch.load(checkpoint, weights_only=True)
        model.load_state_dict(stored["model"])
        optimizers.restore(stored["optimizers"])
        step, seconds, tokens = stored["step"], stored["seconds"], stored["tokens"]
    # A continued run must not see the first run's conversations again.
    batches = iter(Batches(Source(seed=f"training from step {step}"), tokenizer, MICRO_BATCH, vocabulary.PAD))
    fast = torch.compile(model, dynamic=True) if options.compile else model

    def save():
        torch.save({"model": model.state_dict(), "optimizers": optimizers.state(), "step": step, "seconds": seconds,
                    "tokens": tokens}, checkpoint.with_suffix(".new"))
        checkpoint.with_suffix(".new").replace(checkpoint)

    told_to_end = []
    signal.signal(signal.SIGTERM, lambda *_: told_to_end.append(True))
    saved = time.monotonic()
    while step < options.steps and not told_to_end:
        start = time.monotonic()
        loss, count = train_step(fast, optimizers, batches, share_of_rate(step, options.steps, options.decay))
        step, tokens, seconds = step + 1, tokens + count, seconds + time.monotonic() - start
        if step % 10 == 0:
            print(f"step {step}: loss {loss:.4f}, {tokens:,} tokens in {seconds:.0f} s, last "
                  f"{count / (time.monotonic() - start):.0f} a second", flush=True)
        if step % options.evaluate_every == 0:
            print(evaluate.table(evaluate.report(model, tokenizer)), flush=True)
        if time.monotonic() - saved > CHECKPOINT_SECONDS:
            save()
            saved = time.monotonic()
    save()
    if step == options.steps:
        print(evaluate.table(evaluate.report(model, tokenizer)))


if __name__ == "__main__":
    main()
