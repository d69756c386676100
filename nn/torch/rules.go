package torch

import (
	"cmp"
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// rule says which states of an optimizer here are those of PyTorch's.
type rule struct {
	states []state
	counts bool // whether PyTorch counts the updates of each parameter
}

// state is a state here and in PyTorch.
type state struct {
	here, there string
	optional    bool                               // PyTorch's may be None
	factor      func(opt *optim.Optimizer) float64 // the state here is that of PyTorch times this number
}

func one(*optim.Optimizer) float64 { return 1 }

// step is the factor of a state that is a step: PyTorch's is the sum of gradients.
func step(opt *optim.Optimizer) float64 { return opt.LearningRate() }

func stepBack(opt *optim.Optimizer) float64 { return -opt.LearningRate() }

// ruleOf returns the rule of an optimizer.
func ruleOf(opt *optim.Optimizer) *rule {
	switch opt.Name() {
	case "SGD":
		return &rule{}
	case "Momentum":
		return &rule{states: []state{{"m", "momentum_buffer", true, step}}}
	case "Nesterov":
		return &rule{states: []state{{"m", "momentum_buffer", true, stepBack}}}
	case "Adam", "AdamW":
		return &rule{states: []state{{"mean", "exp_avg", false, one}, {"var", "exp_avg_sq", false, one}}, counts: true}
	case "RMSprop":
		return &rule{states: []state{{"v", "square_avg", false, one}}, counts: true}
	case "AdaGrad":
		return &rule{states: []state{{"v", "sum", false, one}}, counts: true}
	case "AdaDelta":
		return &rule{states: []state{{"e_sqr_grad", "square_avg", false, one}, {"e_sqr_delta", "acc_delta", false, one}}, counts: true}
	}
	return nil
}

// number returns a number of a state dict: a Go number, or a tensor of one element.
func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case *nd.Array:
		if v.Size() == 1 && (v.DType().IsFloat() || v.DType().IsInteger()) {
			return nd.Value[float64](v), true
		}
	}
	return 0, false
}

// group reads the options of an optimizer.
type group struct {
	options nd.TorchDict
	err     error
}

func (g *group) has(names ...string) bool {
	for _, name := range names {
		if g.options.Get(name) == nil {
			return false
		}
	}
	return true
}

func (g *group) value(name string) float64 {
	v, ok := number(g.options.Get(name))
	if !ok && g.err == nil {
		g.err = fmt.Errorf("the optimizer's option %s is no number", name)
	}
	return v
}

func (g *group) pointer(name string) *float64 { return new(g.value(name)) }

// betas returns the two fractions of Adam.
func (g *group) betas() (beta1, beta2 *float64) {
	list, _ := g.options.Get("betas").([]any)
	if len(list) == 2 {
		first, ok1 := number(list[0])
		second, ok2 := number(list[1])
		if ok1 && ok2 {
			return &first, &second
		}
	}
	g.err = fmt.Errorf("the optimizer's betas are no two numbers")
	return nil, nil
}

// without refuses options that are given and not 0.
func (g *group) without(names ...string) {
	for _, name := range names {
		if v, ok := number(g.options.Get(name)); ok && v != 0 && g.err == nil {
			g.err = fmt.Errorf("the optimizer has %s, which no optimizer here has in this form", name)
		}
	}
}

// optimizerOf makes the optimizer of a group of options. Its kind shows in their names.
func optimizerOf(options nd.TorchDict, adamW bool) (opt *optim.Optimizer, err error) {
	g := &group{options: options}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *nd.Error: // a learning rate below 0, for example
			opt, err = nil, cmp.Or[error](g.err, e)
		default:
			panic(e)
		}
	}()
	g.without("maximize")
	lr, decay := g.value("lr"), g.value("weight_decay")
	switch {
	case g.has("betas", "amsgrad"):
		g.without("amsgrad")
		beta1, beta2 := g.betas()
		if decoupled, _ := number(options.Get("decoupled_weight_decay")); adamW || decoupled != 0 {
			// The decay here is that of the first learning rate.
			opt = optim.NewAdamW(optim.AdamWOptions{LR: lr, Beta1: beta1, Beta2: beta2, Eps: g.pointer("eps"), WeightDecay: new(lr * decay), EpsOutside: true})
		} else {
			opt = optim.NewAdam(optim.AdamOptions{LR: lr, Beta1: beta1, Beta2: beta2, Eps: g.pointer("eps"), WeightDecay: decay, EpsOutside: true})
		}
	case g.has("alpha", "centered"):
		g.without("centered", "momentum")
		opt = optim.NewRMSprop(optim.RMSpropOptions{LR: lr, Decay: g.pointer("alpha"), Eps: g.pointer("eps"), WeightDecay: decay})
	case g.has("lr_decay", "initial_accumulator_value"):
		g.without("lr_decay")
		opt = optim.NewAdaGrad(optim.AdaGradOptions{LR: lr, Eps: g.pointer("eps"), WeightDecay: decay})
	case g.has("rho"):
		opt = optim.NewAdaDelta(optim.AdaDeltaOptions{LR: lr, Decay: g.pointer("rho"), Eps: g.pointer("eps"), WeightDecay: decay})
	case g.has("momentum", "dampening", "nesterov"):
		g.without("dampening")
		momentum := g.pointer("momentum")
		switch nesterov := g.value("nesterov") != 0; {
		case *momentum == 0:
			opt = optim.NewSGD(optim.SGDOptions{LR: lr, WeightDecay: decay})
		case nesterov:
			opt = optim.NewNesterov(optim.NesterovOptions{LR: lr, Momentum: momentum, WeightDecay: decay})
		default:
			opt = optim.NewMomentum(optim.MomentumOptions{LR: lr, Momentum: momentum, WeightDecay: decay})
		}
	default:
		var names []any
		for _, item := range options {
			names = append(names, item.Key)
		}
		g.err = fmt.Errorf("no optimizer here has the options %v", names)
	}
	if g.err != nil {
		return nil, g.err
	}
	if lr == 0 {
		return nil, fmt.Errorf("the learning rate is 0: the options of optimizers here do not have this value")
	}
	return opt, nil
}

// groupOf returns the options of PyTorch's optimizer for one here.
func groupOf(opt *optim.Optimizer) (nd.TorchDict, error) {
	rate := opt.LearningRate()
	group := nd.TorchDict{{Key: "lr", Value: rate}}
	add := func(name string, v any) { group = append(group, nd.TorchItem{Key: name, Value: v}) }
	adam := func(beta1, beta2, eps *float64, decay float64, decoupled bool) {
		add("betas", []any{*beta1, *beta2})
		add("eps", *eps)
		add("weight_decay", decay)
		add("amsgrad", false)
		add("decoupled_weight_decay", decoupled)
	}
	sgd := func(momentum, decay float64, nesterov bool) {
		add("momentum", momentum)
		add("dampening", 0.0)
		add("weight_decay", decay)
		add("nesterov", nesterov)
	}
	outside := true
	switch o := opt.Options().(type) {
	case optim.SGDOptions:
		sgd(0, o.WeightDecay, false)
	case optim.MomentumOptions:
		sgd(*o.Momentum, o.WeightDecay, false)
	case optim.NesterovOptions:
		sgd(*o.Momentum, o.WeightDecay, true)
	case optim.AdamOptions:
		adam(o.Beta1, o.Beta2, o.Eps, o.WeightDecay, false)
		outside = o.EpsOutside
	case optim.AdamWOptions:
		adam(o.Beta1, o.Beta2, o.Eps, *o.WeightDecay/o.LR, true)
		outside = o.EpsOutside
	case optim.RMSpropOptions:
		add("momentum", 0.0)
		add("alpha", *o.Decay)
		add("eps", *o.Eps)
		add("centered", false)
		add("weight_decay", o.WeightDecay)
	case optim.AdaGradOptions:
		add("lr_decay", 0.0)
		add("eps", *o.Eps)
		add("weight_decay", o.WeightDecay)
		add("initial_accumulator_value", 0.0)
	case optim.AdaDeltaOptions:
		add("rho", *o.Decay)
		add("eps", *o.Eps)
		add("weight_decay", o.WeightDecay)
	default:
		return nil, fmt.Errorf("%s: package torch.optim has no such optimizer", opt.Name())
	}
	if !outside {
		return nil, fmt.Errorf("%s without EpsOutside: PyTorch adds eps to the corrected root", opt.Name())
	}
	if rate == 0 {
		return nil, fmt.Errorf("the learning rate is 0: the states of optimizers with momentum cannot be divided by it")
	}
	add("maximize", false)
	add("foreach", nil)
	add("capturable", false)
	add("differentiable", false)
	add("fused", nil)
	return group, nil
}
