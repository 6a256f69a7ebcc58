/// Parsing calls, from the first mark of a block to the text after its last.
extension AnswerReader {
    var callEvents: CallEvents {
        CallEvents(functions: functions, readsUnknown: readsUnknown, count: callCount)
    }

    mutating func beginCalls(_ syntax: CallSyntax, _ mark: [UInt8]) {
        block = BlockReader(syntax, callEvents, mark: mark, ignoresStrings: ignoresStrings)
        guard block == nil else {
            state = .block
            gate.callsBegin()
            return flush()
        }
        calls = CallBlockReader(syntax, callEvents)
        state = .calls
        for byte in mark { take(byte) }
    }

    /// Handles the result of reading a byte of a block.
    mutating func settle(_ outcome: CallBlockReader.Outcome) {
        let newEvents = calls?.takeEvents() ?? []
        if !newEvents.isEmpty {
            leaveThought()
            gate.callsBegin()
            flush()
            emit(newEvents)
            state = .calls
        }
        switch outcome {
        case .needsMore: return
        case .ended(let rest):
            calls = nil
            // It has been reported as the call's name.
            _ = takeHeaderOfCall()
            state = .text
            gate.callsEnded()
            for byte in rest { take(byte) }
        case .failed(let message, let rest, let problem, let isCertain):
            calls = nil
            let text = takeHeaderOfCall() + message
            state = isInThought ? .thought : .text
            if isInThought { thought.append(text) } else { gate.append(text) }
            if isCertain { report(problem, text) }
            for byte in rest { take(byte) }
        }
    }

    /// Reports text that is not a call but may have been intended as one.
    private mutating func report(_ problem: ToolCallError.Problem, _ text: [UInt8]) {
        if case .unknownFunction = problem { return }
        guard !isInThought else { return }
        flush()
        events.append(.unreadable(ToolCallError(problem, at: text.count, in: text)))
    }

    mutating func emit(_ newEvents: [Event]) {
        for case .callBegins(let index, _, _) in newEvents { callCount = max(callCount, index + 1) }
        for event in newEvents {
            if case .callArguments(let index, let text) = event,
                case .callArguments(let last, let before)? = events.last, last == index
            {
                events[events.count - 1] = .callArguments(index: index, before + text)
            } else {
                events.append(event)
            }
        }
    }

    mutating func endBlock(isWhole: Bool) {
        guard let ending = block?.end(isWhole: isWhole) else { return }
        block = nil
        // String tracking cannot be used for text that an unterminated string had hidden.
        if !ending.rest.isEmpty { ignoresStrings = true }
        emit(ending.events)
        state = .text
        gate.callsEnded()
        gate.append(ending.text)
        if let error = ending.error {
            flush()
            events.append(.unreadable(error))
        }
        for byte in ending.rest { take(byte) }
    }

    /// Ends the current element. Text that is read again may begin another element without an end.
    mutating func finishState() {
        while true {
            switch state {
            case .header: abandonHeader()
            case .calls: if let outcome = calls?.finish() { settle(outcome) }
            case .block: endBlock(isWhole: false)
            case .text, .thought:
                while let found = finder.finish(into: &pending) { mark(found) }
                release()
                if state == .text || state == .thought { return }
            }
        }
    }
}
